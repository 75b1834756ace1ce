# Figures of R for the data sets of generate.py, in the same order.
options(warn = -1)
arguments <- commandArgs(TRUE)
numbers <- function(text) as.numeric(strsplit(text, " ")[[1]])

answer <- function(line) {
  fields <- strsplit(line, ";")[[1]]
  table <- numbers(fields[1])
  cells <- matrix(c(table[1], table[2] - table[1], table[3], table[4] - table[3]), 2)
  odds <- (cells[1, 1] + 0.5) / (cells[2, 1] + 0.5) / ((cells[1, 2] + 0.5) / (cells[2, 2] + 0.5))
  fisher <- fisher.test(cells)$p.value
  a <- numbers(fields[2])
  b <- numbers(fields[3])
  wilcoxon <- wilcox.test(a, b)
  u <- unname(wilcoxon$statistic)
  p <- if (length(unique(c(a, b))) == 1) 1 else wilcoxon$p.value
  blocks <- t(sapply(strsplit(fields[4], "/")[[1]], numbers, USE.NAMES = FALSE))
  friedman <- friedman.test(blocks)
  ranks <- colMeans(t(apply(blocks, 1, rank)))
  k <- ncol(blocks)
  nemenyi <- function(other) {
    range <- abs(ranks[1] - ranks[other]) / sqrt(k * (k + 1) / (6 * nrow(blocks))) * sqrt(2)
    ptukey(range, k, Inf, lower.tail = FALSE)
  }
  of_samples <- c(u, p, u / length(a) / length(b))
  c(odds, fisher, of_samples, friedman$statistic, friedman$p.value, nemenyi(2), nemenyi(k))
}

answers <- lapply(readLines(arguments[1]), answer)
writeLines(sapply(answers, function(it) paste(sprintf("%.17g", it), collapse = " ")), arguments[2])
