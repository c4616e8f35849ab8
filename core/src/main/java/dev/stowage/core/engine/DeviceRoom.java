package dev.stowage.core.engine;

import dev.stowage.core.policy.View;

/** What a server lacks of the resource that comes in devices, where the sum of what is free would do. */
public final class DeviceRoom {
    private DeviceRoom() {}

    /** What is free for a demand of devices: of all that are wholly free, or of one if it demands a part. */
    public static long of(View view, int server, long demand) {
        boolean whole = demand >= view.deviceAmount();
        return view.room(server, whole ? view.deviceResource() : view.resources());
    }

    /** What is missing for such a demand, for people; empty if nothing is or no resource comes in devices. */
    public static String lacking(View view, int server, long demand) {
        int resource = view.deviceResource();
        if (resource == View.NONE || demand <= of(view, server, demand)) {
            return "";
        }
        long one = view.deviceAmount();
        return demand >= one
                ? view.room(server, resource) / one + " of " + demand / one + " whole devices are free"
                : "no device has " + demand + " " + view.resourceName(resource) + " free, at most "
                        + view.room(server, view.resources());
    }
}
