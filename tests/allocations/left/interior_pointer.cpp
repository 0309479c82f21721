// The only pointer is into the middle of a block, which holds the only pointer to another one.
int** inside;

int main() {
    int** block = new int*[100]();
    block[99] = new int[5]();
    inside = block + 50;
    return inside[49][4];
}
