import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TagPlace } from './tags.ts'
import { tagsInForce } from './tags.ts'

interface Tag {
  readonly id: string
  readonly placedAt: number
  readonly on: TagPlace
  readonly gateway: number
  readonly device: number
  readonly line: number
}

const [gateways, devices, lines] = [2, 2, 2]
const below = (most: number) => fc.integer({ min: 0, max: most - 1 })
const anyTag: fc.Arbitrary<Tag> = fc.record({
  id: fc.uuid(),
  placedAt: fc.integer({ min: 0, max: 3 }),
  on: fc.constantFrom('line', 'device', 'gateway'),
  gateway: below(gateways),
  device: below(devices),
  line: below(lines),
})

/** A line of a plant on which these tags hang, each on its own place alone; it may have been born after they were hung. */
function lineOf(tags: readonly Tag[], gateway: number, device: number, line: number) {
  const hung = (on: TagPlace, ...at: readonly number[]) =>
    tags.filter((tag) => tag.on === on && [tag.gateway, tag.device, tag.line].slice(0, at.length).join() === at.join())
  return {
    ownTags: hung('line', gateway, device, line),
    device: { ownTags: hung('device', gateway, device), gateway: { ownTags: hung('gateway', gateway) } },
  }
}

test('in force on a line are the tags on it, on its device and on its gateway, each once, and no others', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyTag, { selector: ({ id }) => id }),
      below(gateways),
      below(devices),
      below(lines),
      (tags, gateway, device, line) => {
        const inForce = tagsInForce(lineOf(tags, gateway, device, line)).map(({ id }) => id)
        const expected = tags.filter(
          (tag) =>
            tag.gateway === gateway &&
            (tag.on === 'gateway' || (tag.device === device && (tag.on === 'device' || tag.line === line))),
        )
        expect(inForce.toSorted()).toEqual(expected.map(({ id }) => id).toSorted())
      },
    ),
  )
})

test('they come in the order in which they were hung, wherever they hang', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyTag, { selector: ({ id }) => id }), (tags) => {
      const at = tagsInForce(lineOf(tags, 0, 0, 0)).map(({ placedAt }) => placedAt)
      expect(at).toEqual(at.toSorted((a, b) => a - b))
    }),
  )
})
