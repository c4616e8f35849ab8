package dev.stowage.service.client;

import dev.stowage.service.v1.OperationsGrpc;
import dev.stowage.service.v1.PlacementGrpc;

/**
 * A node that calls go to.
 *
 * @param address {@code host:port}
 * @param placement calls about requests
 * @param watching the same without a limit of time
 * @param operations calls about servers, policy and nodes
 * @param asking the same for questions that are given up soon
 */
record Target(
        String address,
        PlacementGrpc.PlacementStub placement,
        PlacementGrpc.PlacementStub watching,
        OperationsGrpc.OperationsStub operations,
        OperationsGrpc.OperationsStub asking) {}
