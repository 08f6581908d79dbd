"""Deployments of Reef to start from, and the scorer that two of them use. `reef serve` finds it from this folder's parent."""
