import type { moreShapes } from './icon-shapes.ts'

/** What is drawn before anybody is signed in; the others come behind the login. */
const firstShapes = {
  shield: 'M8 1.500 13.500 4v4c0 3-2.500 5.500-5.500 6.500C5 13.500 2.500 11 2.500 8V4z',
  user: 'M8 2.500a2.700 2.700 0 1 0 0 5.400 2.700 2.700 0 0 0 0-5.400zM2.800 14c.4-3 2.400-4.200 5.200-4.200s4.800 1.200 5.200 4.200',
  lock: 'M4 7.500h8v6H4zM5.500 7.500V5a2.500 2.500 0 0 1 5 0v2.500',
  eye: 'M1.500 8s2.500-4.500 6.500-4.500S14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  eyeOff:
    'M2 2l12 12M6.300 3.800A6.300 6.300 0 0 1 8 3.500c4 0 6.500 4.500 6.500 4.500a12 12 0 0 1-2 2.400M4.300 5a12 12 0 0 0-2.800 3s2.500 4.500 6.500 4.500c1 0 2-.3 2.800-.7',
  theme: 'M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12',
} as const

export type IconName = keyof typeof firstShapes | keyof typeof moreShapes

const shapes: Partial<Record<IconName, string>> = { ...firstShapes }

/** Makes the other icons known. */
export const addIcons = (more: typeof moreShapes): void => void Object.assign(shapes, more)

/** A line icon; decoration beside words, never the only carrier. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="ic" viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}
