# Basic bootstrap intervals at 95 % by R's package boot, from resampled estimates that are given.
library(boot)
options(warn = -1)
arguments <- commandArgs(TRUE)
numbers <- function(text) as.numeric(strsplit(text, " ")[[1]])

answer <- function(line) {
  fields <- strsplit(line, ";")[[1]]
  resampled <- numbers(fields[2])
  basic <- boot:::basic.ci(numbers(fields[1]), resampled, conf = 0.95)
  basic[4:5]
}

answers <- lapply(readLines(arguments[1]), answer)
writeLines(sapply(answers, function(it) paste(sprintf("%.17g", it), collapse = " ")), arguments[2])
