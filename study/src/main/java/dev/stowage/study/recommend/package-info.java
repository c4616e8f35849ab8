/** Which policy to choose for given requests and servers. */
@NullMarked
package dev.stowage.study.recommend;

import org.jspecify.annotations.NullMarked;
