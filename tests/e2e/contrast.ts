/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test'

/** How a mark shows on the screen; contrasts as WCAG 2.2 counts them, from 1 to 21. */
export interface Contrast {
  /** The strongest of its pixels against the ground around it. */
  readonly onGround: number
  /** Which share of its pixels has at least 3 against that ground. */
  readonly inkShare: number
  /** Its letters: the strongest of its pixels against what it is filled with. */
  readonly letters: number
}

/** Measured in a photo of the screen, with what lies over the mark and around it, once colours have come to rest. */
export async function contrastOf(page: Page, mark: Locator): Promise<Contrast> {
  await mark.scrollIntoViewIfNeeded()
  // A row under the pointer has another ground.
  await page.mouse.move(0, 0)
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
  const box = await mark.boundingBox()
  if (!box) throw new Error('the mark is not on the screen')
  const [x, y] = [Math.round(box.x), Math.round(box.y)]
  const [width, height] = [Math.round(box.x + box.width) - x, Math.round(box.y + box.height) - y]
  const around = 2
  const clip = { x: x - around, y: y - around, width: width + 2 * around, height: height + 2 * around }
  const photo = (await page.screenshot({ clip, scale: 'css' })).toString('base64')
  return page.evaluate(
    async ({ photo, around }) => {
      const image = new Image()
      image.src = `data:image/png;base64,${photo}`
      await image.decode()
      const { naturalWidth: width, naturalHeight: height } = image
      const canvas = new OffscreenCanvas(width, height).getContext('2d')
      canvas?.drawImage(image, 0, 0)
      const bytes = canvas?.getImageData(0, 0, width, height).data ?? []
      const parts = { ground: [] as string[], mark: [] as string[] }
      for (let row = 0; row < height; row++)
        for (let column = 0; column < width; column++) {
          const at = (row * width + column) * 4
          const isGround = Math.min(row, column, height - 1 - row, width - 1 - column) < around
          parts[isGround ? 'ground' : 'mark'].push(`${bytes[at]} ${bytes[at + 1]} ${bytes[at + 2]}`)
        }
      const usual = (colours: readonly string[]) => {
        const counts = new Map<string, number>()
        for (const each of colours) counts.set(each, (counts.get(each) ?? 0) + 1)
        return [...counts].toSorted((one, other) => other[1] - one[1])[0]?.[0] ?? ''
      }
      const luminance = (colour: string) => {
        const [red = 0, green = 0, blue = 0] = colour
          .split(' ')
          .map((each) => Number(each) / 255)
          .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      const contrast = (one: string, other: string) => {
        const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
        return (light + 0.05) / (dark + 0.05)
      }
      const [ground, fill] = [usual(parts.ground), usual(parts.mark)]
      const onGround = parts.mark.map((each) => contrast(each, ground))
      return {
        onGround: Math.max(...onGround),
        inkShare: onGround.filter((each) => each >= 3).length / onGround.length,
        letters: Math.max(...parts.mark.map((each) => contrast(each, fill))),
      }
    },
    { photo, around },
  )
}
