"""What a therapist answers: motivational interviewing behaviours, and marks for each response."""
