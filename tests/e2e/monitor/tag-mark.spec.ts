import { placeTag } from '@linewarden/contract'
import type { Locator, Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import { contrastOf } from '../contrast.ts'
import { enter } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

let isTagged = false
test.beforeEach(async ({ stack }) => {
  if (isTagged) return
  const body = { TagID: crypto.randomUUID(), Kind: 'lock', Reason: '更换电缆头' } as const
  await stack.client.call(placeTag, { params: { ControllerID: 'A-T1', LineNo: 3 }, body })
  isTagged = true
})

/** What WCAG asks of text: of the letters on what they stand on, and of the frame or the fill on the ground around it. */
const minContrast = 4.5

async function expectToStandOut(page: Page, mark: Locator, minInk: number): Promise<void> {
  const { onGround, letters, inkShare } = await contrastOf(page, mark)
  expect(Math.min(onGround, letters)).toBeGreaterThan(minContrast)
  expect(inkShare).toBeGreaterThan(minInk)
}
/** A frame and letters; a plate is filled. */
const boxed = 0.15
const filled = 0.5

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a lock-out tag stands out in the table, the tree and the drawer, in the ${colorScheme} theme`, async ({
    page,
    stack,
  }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 1440, height: 900 })
    await enter(page, stack)
    const row = (name: string) => page.getByRole('row', { name }).first()
    const inRow = row('A线3').locator('.tag-mark')
    await expect(inRow).toHaveText('挂牌')
    await expectToStandOut(page, inRow, boxed)
    const inTree = page.getByRole('tree').locator('.tag-mark').first()
    await expect(inTree).toHaveText('挂牌 1')
    await expectToStandOut(page, inTree, filled)
    await inRow.click()
    const plate = page.getByRole('dialog', { name: 'A线3' }).locator('.tag-mark.plate')
    await expect(plate).toHaveText('挂牌 1')
    await expectToStandOut(page, plate, filled)
    // It says something: its neighbour has none.
    await expect(row('A线4').locator('.tag-mark')).toHaveCount(0)
  })

  test(`on a phone the tag stands out beside the name of its line, in the ${colorScheme} theme`, async ({ page, stack }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 360, height: 740 })
    await enter(page, stack)
    const mark = page
      .getByRole('main')
      .locator('.tag-mark')
      .filter({ hasText: /^挂牌$/ })
      .first()
    await expect(mark).toBeVisible()
    await expectToStandOut(page, mark, boxed)
  })
}
