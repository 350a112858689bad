import { randomUUID } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { StartRefusal } from '../../lib/start-refusal.ts'

/**
 * One server per data folder. The owner listens on a socket in it and says its name to whoever asks; the kernel closes that socket with the
 * process, so even kill -9 lets go, and nothing depends on the database being up. Answers how to let go.
 */
export async function takeOwnerLock(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'owner')
  const name = randomUUID()
  for (let attempt = 0; attempt < 20; attempt++) {
    const other = await ownerName(path)
    if (other !== null) throw inUse()
    // Nobody answers: what is there was left behind by a dead owner, and is replaced. Under a name of its own first, because a socket that is
    // closed takes away the file it was made as, whoever's that is by then.
    const own = `${path}.${name.slice(0, 6)}`
    const server = createServer((socket) => socket.on('error', () => {}).end(name))
    const listening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(own, () => resolve(true))
    })
    if (!listening) continue
    server.unref()
    await rename(own, path)
    const release = () => new Promise<void>((resolve) => server.close(() => resolve()))
    // Another one may have taken our socket for a dead owner's in the same moment: whoever can be reached there now owns the folder.
    await wait(60)
    if ((await ownerName(path)) === name) return release
    await release()
    throw inUse()
  }
  throw inUse()
}

function ownerName(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    let output = ''
    const socket = connect(path)
    socket.setTimeout(2_000, () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      output += chunk
    })
    socket.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? null : output || 'unknown'),
    )
    socket.on('close', () => resolve(output || 'unknown'))
  })
}

const inUse = () =>
  new StartRefusal('in_use', {
    en: 'Another Linewarden server is using this data folder. Stop it first, or set LINEWARDEN_DATA to another folder.',
    zh: '另一个 Linewarden 服务正在使用该数据目录。请先停止它，或用 LINEWARDEN_DATA 指定其他目录。',
  })
