// The compiled module. Only the files bind*.cpp know Python.
#include "bind.hpp"

NB_MODULE(_core, m) {
    m.doc() = "Compiled kernels of boxscore; boxscore._reference defines what they compute.";
    bind_columns(m);
    bind_evaluation(m);
    bind_files(m);
    bind_rotated(m);
    bind_keypoints(m);
    bind_tubes(m);
    bind_masks(m);
    bind_values(m);
}
