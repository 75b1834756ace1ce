package maps;

/** How things are drawn. The size of an area does not depend on it. */
final class Look {
    int tint;
    int weight;
    int margin;
    int corner;
    int shadow;
    int angle;
    int pattern;
    int zoom;
    int offset;
    int rank;
    int shade;
    int blur;
    int gap;
    int skew;
    int glow;
    int depth;
    int scale;
    int turn;
    int tilt;
    int grain;
    int bevel;
    int fade;
    int crest;
}
