// Device malloc and free: every thread builds a list of its own, the block's first walks them all.

extern "C" __global__ void heap(const int* lengths, long long* sums, int n) {
  struct Node {
    Node* next;
    int value;
  };
  __shared__ Node* heads[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Node* head = nullptr;
  for (int j = 0; i < n && j < lengths[i]; j++) {
    Node* const node = static_cast<Node*>(malloc(sizeof(Node)));
    node->next = head, node->value = i * 100 + j;
    head = node;
  }
  heads[threadIdx.x] = head;
  __syncthreads();
  if (threadIdx.x != 0) return;
  long long sum = 0;
  for (int t = 0; t < static_cast<int>(blockDim.x); t++) {
    for (Node* node = heads[t]; node != nullptr;) {
      Node* const next = node->next;
      sum = sum * 3 + node->value;
      free(node);
      node = next;
    }
  }
  sums[blockIdx.x] = sum;
}
