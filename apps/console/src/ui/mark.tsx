import type { AlarmKind } from '@linewarden/equipment'

export const shapes = {
  alarm: 'M7 .6 13.800 13H.2zM6.200 4.800v4h1.600v-4zM6.200 9.900v1.600h1.600V9.900z',
  fault: 'M7 0l7 7-7 7-7-7zM3.600 6.200v1.600h2.300V6.200zM8.100 6.200v1.600h2.300V6.200z',
  warning: 'M7 .4a6.600 6.600 0 1 1 0 13.200A6.600 6.600 0 0 1 7 .4zM7 2.800 3.600 7h2.500v4h1.800V7h2.500z',
  order: 'M2 .600h10v12.800H2zM4.200 3.600V5h5.600V3.600zM4.200 6.600V8h5.600V6.600zM4.200 9.600V11h3.400V9.600z',
} as const satisfies Readonly<Record<AlarmKind | 'order', string>>

/** The token of each kind's colour where there is no style sheet: on the canvas of a chart. */
export const edgeColours = {
  alarm: '--alarm',
  fault: '--fault',
  warning: '--warn-edge',
  order: '--work',
} as const satisfies Readonly<Record<keyof typeof shapes, string>>

export type MarkKind = keyof typeof shapes | 'off'

/** As what an event of this kind is drawn: an entry of the journal has no mark of its own. */
export const drawnKind = (kind: keyof typeof shapes | 'journal'): keyof typeof shapes => (kind === 'journal' ? 'warning' : kind)

/** The mark of an event's kind: triangle alarm, diamond fault, disc warning, written sheet work order, hatched square offline. */
export function Mark({ kind, size = 14 }: { kind: MarkKind; size?: number }) {
  return (
    <svg
      className={`mark ${kind}`}
      viewBox="0 0 14 14"
      width={size}
      height={size}
      style={{ width: size, height: size }}
      aria-hidden="true"
    >
      {kind === 'off' ? (
        <path
          fill="none"
          stroke="currentColor"
          strokeWidth="1.300"
          d="M1.700 1.700h10.600v10.600H1.700zM2 6.500 6.500 2M2 11.800 11.800 2M7.500 12 12 7.500"
        />
      ) : (
        <path fillRule="evenodd" d={shapes[kind]} />
      )}
    </svg>
  )
}
