import type { KeyboardEvent } from 'react'

/** Up and down go from row to row, so that the keyboard needs no fifty tabs. */
export function moveAmongRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const slot = event.currentTarget.closest<HTMLElement>('.slot')
  const index = Number(slot?.dataset.index)
  if (!slot || Number.isNaN(index)) return
  event.preventDefault()
  const next = slot.parentElement?.querySelector(`.slot[data-index="${index + (event.key === 'ArrowDown' ? 1 : -1)}"]`)
  next?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
}
