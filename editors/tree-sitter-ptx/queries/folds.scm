(block) @fold
(section) @fold
(list) @fold
(comment) @fold
