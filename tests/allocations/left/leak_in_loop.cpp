// Each turn loses the block of the turn before; a static variable keeps the last one.
int* kept;

int main() {
    for (int i = 1; i <= 100; ++i) {
        kept = new int[i];
        kept[0] = i;
    }
    return kept[0] == 100 ? 0 : 1;
}
