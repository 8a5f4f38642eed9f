"""What researchers ask: benchmarks, reference metrics, counted facts, notes made worse. Loaded by its commands only."""
