package maps;

import java.util.ArrayList;
import java.util.List;

/** Points around an area. */
public final class Ring {
    private final List<int[]> points = new ArrayList<>();
    private final Look look = new Look();

    public Ring at(int x, int y) {
        points.add(new int[] {x, y});
        return this;
    }

    int width(int place) {
        return points.get(place)[0];
    }

    int size() {
        return points.size();
    }

    public Ring tint(int tint) {
        look.tint = tint;
        return this;
    }

    public Ring weight(int weight) {
        look.weight = weight;
        return this;
    }

    public Ring margin(int margin) {
        look.margin = margin;
        return this;
    }

    public Ring corner(int corner) {
        look.corner = corner;
        return this;
    }

    public Ring shadow(int shadow) {
        look.shadow = shadow;
        return this;
    }

    public Ring angle(int angle) {
        look.angle = angle;
        return this;
    }

    public Ring pattern(int pattern) {
        look.pattern = pattern;
        return this;
    }

    public Ring zoom(int zoom) {
        look.zoom = zoom;
        return this;
    }

    public Ring offset(int offset) {
        look.offset = offset;
        return this;
    }

    public Ring rank(int rank) {
        look.rank = rank;
        return this;
    }

    public Ring shade(int shade) {
        look.shade = shade;
        return this;
    }

    public Ring blur(int blur) {
        look.blur = blur;
        return this;
    }

    public Ring gap(int gap) {
        look.gap = gap;
        return this;
    }

    public Ring skew(int skew) {
        look.skew = skew;
        return this;
    }

    public Ring glow(int glow) {
        look.glow = glow;
        return this;
    }

    public Ring depth(int depth) {
        look.depth = depth;
        return this;
    }

    public Ring scale(int scale) {
        look.scale = scale;
        return this;
    }

    public Ring turn(int turn) {
        look.turn = turn;
        return this;
    }

    public Ring tilt(int tilt) {
        look.tilt = tilt;
        return this;
    }

    public Ring grain(int grain) {
        look.grain = grain;
        return this;
    }

    public Ring bevel(int bevel) {
        look.bevel = bevel;
        return this;
    }

    public Ring fade(int fade) {
        look.fade = fade;
        return this;
    }

    public Ring crest(int crest) {
        look.crest = crest;
        return this;
    }
}
