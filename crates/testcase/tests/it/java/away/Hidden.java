package away;

/** What is public here is reached through a class that extends it. */
class Hidden {
    public int inheritedField;
    public static int INHERITED;
    public Hidden() {}
    public int inherited() { return 0; }
    protected int guardedInherited() { return 0; }
    public static int inheritedStatic() { return 0; }
    public static class Open { public static int o; }
}
