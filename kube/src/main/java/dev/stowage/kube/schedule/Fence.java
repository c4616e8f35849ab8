package dev.stowage.kube.schedule;

/** Says whether this replica may act now. */
public interface Fence {
    /** Always allows: there is only one replica. */
    Fence NONE = () -> true;

    /** Whether it may send a binding now. */
    boolean mayAct();
}
