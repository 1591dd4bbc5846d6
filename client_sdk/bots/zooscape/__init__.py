"""House bots of Zooscape."""
