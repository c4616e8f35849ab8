package dev.stowage.service.api;

import com.linecorp.armeria.server.HttpService;

/** A call that is served without gRPC. */
interface HttpCall extends HttpService {
    /** Its name, for counters and logs. */
    String method();
}
