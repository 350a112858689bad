import type { Family } from '@linewarden/equipment'

/** One drawing for each kind of equipment, in the stroke of the other icons. */
const shapes: Readonly<Record<Family['icon'], string>> = {
  breaker: 'M4 1.500h8v13H4zM8 1.500v3M8 14.500v-3M8 11.500 5.800 5',
  airSwitch: 'M5 1.500h6v13H5zM8 4v4l1.500 1.500M6.500 12h3',
  arc: 'M2.500 13.500 6 8H3.500L8 1.500M9 1.800l-1.200 4h3.400L6.500 14.500M12 10.500l2 2M12.500 8.500h2',
  ways: 'M1.500 8h3M4.500 3v10M4.500 3h4M4.500 8h4M4.500 13h4M8.500 3l3-1.500M8.500 8l3-1.500M8.500 13l3-1.500M12 3h2.500M12 8h2.500M12 13h2.500',
  limiter: 'M2 14V9.500c2.500 0 3-6 6-6s2 6 6 6M2 6.500h3M11 6.500h3',
  smoke: 'M2.500 5.500h11l-1.500 4H4zM5.500 12c0-1 1-1 1-2M8.500 13.500c0-1.500 1-1.500 1-3M5 5.500l.5-2h5l.5 2',
  gas: 'M8 1.500c2.800 3 4.500 5 4.500 8a4.500 4.500 0 0 1-9 0c0-1.700.8-3 2-4.200 0 1.700.6 2.500 1.500 2.700C7.500 6 7 4 8 1.500z',
  presence:
    'M5 4a1.700 1.700 0 1 0 3.400 0A1.700 1.700 0 0 0 5 4zM3.500 14V9.500c0-1.600 1.300-2.500 3.200-2.500s3.200.9 3.200 2.500V14M11.500 4c1 1 1 3 0 4M13.300 2.500c1.800 2 1.800 5 0 7',
  water:
    'M8 1.500c2.300 3 3.500 4.600 3.500 6.300a3.500 3.500 0 0 1-7 0C4.500 6.100 5.700 4.500 8 1.500zM2 14c1-.8 2-.8 3 0s2 .8 3 0 2-.8 3 0 2 .8 3 0',
  residual: 'M5 8a3 5.500 0 1 0 6 0 3 5.500 0 1 0-6 0zM1.500 6.500h13M1.500 9.500h13',
}

/** What kind of equipment it is, beside its word. */
export function FamilyIcon({ icon }: { icon: Family['icon'] }) {
  return (
    <svg className="ic family" viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[icon]} />
    </svg>
  )
}
