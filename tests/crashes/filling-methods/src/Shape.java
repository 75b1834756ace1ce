package maps;

import java.util.ArrayList;
import java.util.List;

/** An area with parts that are cut out of it. */
public final class Shape {
    private final List<Ring> cuts = new ArrayList<>();
    private final Look look = new Look();
    private final Ring border;

    public Shape(Ring border) {
        this.border = border;
    }

    public Shape without(Ring cut) {
        cuts.add(cut);
        return this;
    }

    public int area() {
        int left = border.size();
        for (Ring cut : cuts) {
            left -= cut.size();
        }
        if (left < -3) {
            return border.width(left);
        }
        return left;
    }

    public Shape tint(int tint) {
        look.tint = tint;
        return this;
    }

    public Shape weight(int weight) {
        look.weight = weight;
        return this;
    }

    public Shape margin(int margin) {
        look.margin = margin;
        return this;
    }

    public Shape corner(int corner) {
        look.corner = corner;
        return this;
    }

    public Shape shadow(int shadow) {
        look.shadow = shadow;
        return this;
    }

    public Shape angle(int angle) {
        look.angle = angle;
        return this;
    }

    public Shape pattern(int pattern) {
        look.pattern = pattern;
        return this;
    }

    public Shape zoom(int zoom) {
        look.zoom = zoom;
        return this;
    }

    public Shape offset(int offset) {
        look.offset = offset;
        return this;
    }

    public Shape rank(int rank) {
        look.rank = rank;
        return this;
    }

    public Shape shade(int shade) {
        look.shade = shade;
        return this;
    }

    public Shape blur(int blur) {
        look.blur = blur;
        return this;
    }

    public Shape gap(int gap) {
        look.gap = gap;
        return this;
    }

    public Shape skew(int skew) {
        look.skew = skew;
        return this;
    }

    public Shape glow(int glow) {
        look.glow = glow;
        return this;
    }

    public Shape depth(int depth) {
        look.depth = depth;
        return this;
    }

    public Shape scale(int scale) {
        look.scale = scale;
        return this;
    }

    public Shape turn(int turn) {
        look.turn = turn;
        return this;
    }

    public Shape tilt(int tilt) {
        look.tilt = tilt;
        return this;
    }

    public Shape grain(int grain) {
        look.grain = grain;
        return this;
    }

    public Shape bevel(int bevel) {
        look.bevel = bevel;
        return this;
    }

    public Shape fade(int fade) {
        look.fade = fade;
        return this;
    }

    public Shape crest(int crest) {
        look.crest = crest;
        return this;
    }
}
