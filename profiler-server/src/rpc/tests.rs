mod random_calls;
