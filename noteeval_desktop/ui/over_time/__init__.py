"""What many notes show over time: of one clinician, of the team, of raters who agree, of the judge tuned to them."""
