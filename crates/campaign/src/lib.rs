//! Many reproductions: plans, a store that survives interruption, exports.
