import type { Socket } from 'node:net'

/** The first packet is a CONNECT: number, secret and a will. */
const maxConnectBytes = 4_096
/** A whole MQTT packet may not be longer than this; Sparkplug payloads of our gateways are a few hundred bytes. */
const maxPacketBytes = 1_310_720

/**
 * Watches the length that each packet announces, before the parser gathers it: a client that says "ten megabytes follow" is cut off at
 * once, instead of filling the memory first. So is one whose first packet is no CONNECT.
 */
export function guardFrames(socket: Socket, onTooLong: (bytes: number) => void): void {
  const read = socket.read.bind(socket)
  let most = maxConnectBytes
  let first = true
  let skip = 0
  let inLength = false
  let length = 0
  let scale = 1
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size)
    if (chunk === null) return null
    for (let at = 0; at < chunk.length; ) {
      if (skip > 0) {
        const step = Math.min(skip, chunk.length - at)
        skip -= step
        at += step
      } else if (!inLength) {
        if (first && chunk[at] !== 0x10) {
          socket.destroy()
          return null
        }
        inLength = true
        length = 0
        scale = 1
        at += 1
      } else {
        const byte = chunk[at++] ?? 0
        length += (byte & 0x7f) * scale
        scale *= 128
        if (byte < 0x80) {
          inLength = false
          skip = length
        }
        if (length > most) {
          onTooLong(length)
          socket.destroy()
          return null
        }
        if (!inLength && first) {
          first = false
          most = maxPacketBytes
        }
      }
    }
    return chunk
  }
}
