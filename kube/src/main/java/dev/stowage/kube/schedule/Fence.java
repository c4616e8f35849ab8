package dev.stowage.kube.schedule;

/** Says whether this replica may act now. */
public interface Fence {
    /** Always: there is one replica only. */
    Fence NONE = () -> true;

    /** Whether it may send a binding now. */
    boolean mayAct();
}
