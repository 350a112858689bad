import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { openProxy } from '../tests/kit/proxy.ts'

/** A link to a server that breaks off each time it has carried so many bytes. */
export interface DroppingLink {
  readonly url: string
  readonly drops: { inRequests: number; inReplies: number }
  readonly carriedBytes: () => number
  /** Until the link is there again. */
  readonly isBack: () => Promise<void>
  close(): Promise<void>
}

/**
 * By turns it breaks off wherever a request is by then, and when a reply begins: what that reply says is done, and whoever asked does not know.
 * By bytes, and not by time: a fast machine sees as many drops as a slow one.
 */
export async function droppingLink(port: number, bytesBetween: number): Promise<DroppingLink> {
  const far = new Set<Socket>()
  const drops = { inRequests: 0, inReplies: 0 }
  let ended = 0
  let next = bytesBetween
  let isReplysTurn = false
  let back = Promise.resolve()
  const carried = () => [...far].reduce((sum, socket) => sum + bytesOf(socket), ended)
  const proxy = await openProxy(() => {
    const socket = connect(port, '127.0.0.1')
    far.add(socket)
    socket.on('data', () => dropIf(isReplysTurn))
    socket.on('error', () => {})
    socket.on('close', () => {
      far.delete(socket)
      ended += bytesOf(socket)
    })
    return socket
  })
  const watching = setInterval(() => dropIf(!isReplysTurn), 1)
  return {
    url: `http://127.0.0.1:${proxy.port}`,
    ...{ drops, carriedBytes: carried },
    isBack: () => back,
    async close() {
      clearInterval(watching)
      await back
      proxy.close()
    },
  }

  function dropIf(isTurn: boolean): void {
    if (!isTurn || carried() < next) return
    drops[isReplysTurn ? 'inReplies' : 'inRequests']++
    isReplysTurn = !isReplysTurn
    next = carried() + bytesBetween
    back = proxy.takeAway().then(() => proxy.bringBack())
  }
}

const bytesOf = ({ bytesRead, bytesWritten }: Socket): number => bytesRead + bytesWritten
