/** A voltage or current of one phase, as its root-mean-square value and angle say it: real and imaginary part. */
export interface Phasor {
  readonly re: number
  readonly im: number
}

export const zero: Phasor = { re: 0, im: 0 }

export const phasor = (magnitude: number, angle: number): Phasor => ({
  re: magnitude * Math.cos(angle),
  im: magnitude * Math.sin(angle),
})
export const plus = (a: Phasor, b: Phasor): Phasor => ({ re: a.re + b.re, im: a.im + b.im })
export const minus = (a: Phasor, b: Phasor): Phasor => ({ re: a.re - b.re, im: a.im - b.im })
export const times = (a: Phasor, b: Phasor): Phasor => ({ re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re })
export const scaled = (a: Phasor, by: number): Phasor => ({ re: a.re * by, im: a.im * by })
export const magnitude = ({ re, im }: Phasor): number => Math.hypot(re, im)

export function over(a: Phasor, b: Phasor): Phasor {
  const square = b.re ** 2 + b.im ** 2
  return { re: (a.re * b.re + a.im * b.im) / square, im: (a.im * b.re - a.re * b.im) / square }
}

/** Phases A, B and C follow one another by a third of a turn. */
export const phaseAngle = (phase: number): number => (-2 * Math.PI * phase) / 3
