import { crc32, deflateSync } from 'node:zlib'

/** What a photo of the demo shows: three terminals, one of them discoloured by heat, or all in order. */
export type DrawnPhoto = 'hot' | 'cool'

const [width, height] = [640, 480]
type Colour = readonly [number, number, number]
const plate: Colour = [206, 208, 204]
const body: Colour = [58, 62, 66]
const screw: Colour = [168, 172, 174]
const slot: Colour = [60, 60, 60]
/** Of the phases by their colours of GB 7947: yellow, green, red. */
const wires: readonly Colour[] = [
  [222, 184, 46],
  [58, 132, 72],
  [186, 54, 48],
]
const scorch: Colour = [92, 58, 30]

const mixed = (a: Colour, b: Colour, share: number): Colour => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
]

/** Drawn, and plainly so: no photo of any real place. */
export function drawnTerminal(shows: DrawnPhoto): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(colourAt(x, y, shows).map(Math.round), y * (1 + width * 3) + 1 + x * 3)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    ...[Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), part('IHDR', head)],
    ...[part('IDAT', deflateSync(rows, { level: 6 })), part('IEND', Buffer.alloc(0))],
  ])
}

function colourAt(x: number, y: number, shows: DrawnPhoto): Colour {
  const pole = Math.min(2, Math.max(0, Math.floor((x - 80) / 160)))
  const fromMiddle = x - (160 + pole * 160)
  const wire = wires[pole] ?? plate
  const heat = shows === 'hot' && pole === 1 ? Math.max(0, 1 - Math.hypot(fromMiddle, y - 250) / 120) : 0
  return mixed(drawn(fromMiddle, y, wire), scorch, Math.min(0.85, heat * 1.2))
}

function drawn(fromMiddle: number, y: number, wire: Colour): Colour {
  const fromScrew = Math.hypot(fromMiddle, y - 230)
  if (fromScrew < 34) return Math.abs(fromMiddle + (y - 230) * 0.4) < 5 ? slot : screw
  if (y > 280 && Math.abs(fromMiddle) < 26) return mixed(wire, [255, 255, 255], Math.max(0, 0.3 - Math.abs(fromMiddle + 8) / 60))
  if (y > 150 && y < 330 && Math.abs(fromMiddle) < 66) return body
  return mixed(plate, [150, 152, 150], y / height)
}

function part(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, check])
}
