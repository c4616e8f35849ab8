package dev.stowage.service.raft;

import java.nio.file.Path;

/**
 * TLS of a node. Between nodes both sides always show a certificate.
 *
 * @param certificate the node's certificate and its intermediate certificates, PEM
 * @param key its private key, PKCS 8, PEM
 * @param authority certificates that sign those of nodes and clients, PEM
 * @param clients whether clients of the API must show a certificate too
 */
public record Tls(Path certificate, Path key, Path authority, boolean clients) {}
