import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchPage } from './page-signs.ts'

const page = () => Object.assign(new EventTarget(), { hidden: false })
let document = page()
let machine = new EventTarget()
let notified: string[] = []
let stop = () => {}

beforeEach(() => {
  document = page()
  machine = new EventTarget()
  notified = []
  vi.stubGlobal('document', document)
  vi.stubGlobal('addEventListener', machine.addEventListener.bind(machine))
  vi.stubGlobal('removeEventListener', machine.removeEventListener.bind(machine))
  stop = watchPage({ wake: () => notified.push('wake'), lose: () => notified.push('lose') })
})
afterEach(() => vi.unstubAllGlobals())

const turns = (hidden: boolean) => {
  document.hidden = hidden
  document.dispatchEvent(new Event('visibilitychange'))
}
const network = (name: 'online' | 'offline') => machine.dispatchEvent(new Event(name))

test('the link is woken when the page is seen again, and not when it is hidden', () => {
  turns(true)
  expect(notified).toEqual([])
  turns(false)
  expect(notified).toEqual(['wake'])
})

test('the link is given up when the network is gone, and woken when it is back', () => {
  network('offline')
  network('online')
  expect(notified).toEqual(['lose', 'wake'])
})

test('once it is stopped nothing is told any more', () => {
  stop()
  turns(false)
  network('offline')
  network('online')
  expect(notified).toEqual([])
})
