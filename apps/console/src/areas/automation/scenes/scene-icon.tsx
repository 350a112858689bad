import type { SceneIcon as SceneIconName } from '@linewarden/contract'
import { moreShapes } from '../../../ui/icon-shapes.ts'

const shapes: Readonly<Record<SceneIconName | 'run' | 'halt' | 'grip' | 'more', string>> = {
  scene: moreShapes.scene,
  light:
    'M8 1.800a4.200 4.200 0 0 0-2.400 7.600c.6.5.9 1 .9 1.800h3c0-.8.3-1.300.9-1.800A4.200 4.200 0 0 0 8 1.800zM6.500 13.500h3',
  power: 'M9 1.500 3.500 9H8l-1 5.500L12.500 7H8z',
  work: 'M2 13.500V6.500l4 2.500V6.500l4 2.500V3h3.500v10.500zM5 11.500h1M8 11.500h1',
  home: 'M2.500 7.500 8 2.500l5.500 5M4 6.500v7h8v-7M6.800 13.500V10h2.400v3.500',
  night: 'M13 9.600A5.600 5.600 0 0 1 6.400 3 5.600 5.600 0 1 0 13 9.600z',
  fire: 'M8 1.500c.4 2.400 3.800 4 3.800 7.600A3.800 3.800 0 0 1 8 13.500a3.800 3.800 0 0 1-3.800-4.200c0-1.500.8-2.500 1.600-3.300.2 1 .6 1.500 1.200 1.800C6.700 5.500 7 3.200 8 1.500z',
  stop: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM3.800 3.800l8.400 8.400',
  run: 'M5 3l8 5-8 5z',
  halt: 'M4 4h8v8H4z',
  grip: 'M3 5.500h10M3 8h10M3 10.500h10',
  more: 'M3.500 8h.1M8 8h.1M12.500 8h.1',
}

/** The icon of a scene, and those of what is done with one; decoration beside words. */
export function SceneIcon({ name }: { name: keyof typeof shapes }) {
  return (
    <svg className="ic" viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}
