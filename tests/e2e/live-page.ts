import type { Page } from '@playwright/test'
import type { Stack } from '../kit/stack.ts'
import { enter } from './sign-in.ts'
import { expect } from './stack.ts'

/** The live page is open, and its lines are there. */
export async function live(page: Page, stack: Stack): Promise<void> {
  await enter(page, stack)
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
}
