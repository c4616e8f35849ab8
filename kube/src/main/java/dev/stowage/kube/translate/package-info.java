/**
 * What nodes and pods mean to the engine: amounts, rules, and what is not known. Pure functions of objects of the API;
 * nothing here talks to a server.
 */
@NullMarked
package dev.stowage.kube.translate;

import org.jspecify.annotations.NullMarked;
