package dev.stowage.policies.parallel;

/** Equation (16): the time of row k is (sum of P_ik L_i) / B_k. */
final class ProportionalRowTimes extends RowTimes {
    ProportionalRowTimes(Limits limits) {
        super(limits, 1);
    }

    @Override
    void add(int row, double coefficient, double equivalentLoad) {
        state[row] += coefficient * equivalentLoad;
    }

    @Override
    void remove(int row, double coefficient, double equivalentLoad) {
        state[row] -= coefficient * equivalentLoad;
    }

    @Override
    double time(int row) {
        return state[row] == 0 ? 0 : state[row] / limit[row];
    }

    @Override
    double timeWith(int row, double coefficient, double equivalentLoad) {
        return (state[row] + coefficient * equivalentLoad) / limit[row];
    }
}
