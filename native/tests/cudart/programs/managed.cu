#include "../check.cuh"
struct Node {
  int value;
  Node* next;
};
__managed__ int total;
__global__ void walk(Node* n) {
  for (; n; n = n->next) total += n->value;
}
int main() {
  Node* head = nullptr;
  for (int i = 1; i <= 10; i++) {
    Node* n;
    WORKS(cudaMallocManaged(&n, sizeof *n));
    n->value = i;
    n->next = head;
    head = n;
  }
  total = 5;
  walk<<<1, 1>>>(head);
  WORKS(cudaDeviceSynchronize());
  CHECK(total == 60);
  cudaPointerAttributes a;
  WORKS(cudaPointerGetAttributes(&a, head));
  CHECK(a.type == cudaMemoryTypeManaged);
  WORKS(cudaMemPrefetchAsync(head, sizeof *head, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0));
  puts("ok");
}
