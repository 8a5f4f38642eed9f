"""Which items of the rubric a note covers; and a note read once for that and for what it needs."""
