import { useEffect, useRef, useState } from 'react'

/** The side of the page. A narrow page shows it over its content, from a button of the header, until something is chosen there. */
export function useSide(pathname: string) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const side = useRef<HTMLElement>(null)
  // Where there is room for the side at all times its button is not shown, and does not take the focus.
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  // The address changes a moment before the page does: who has opened the side in between keeps it open.
  const openedAt = useRef('')
  useEffect(() => {
    if (pathname !== openedAt.current) setOpen(false)
  }, [pathname])
  useEffect(() => {
    if (!open) return
    const leave = ({ key, target }: KeyboardEvent) => {
      // Where a search is being written, the key empties that first.
      if (key !== 'Escape' || (target instanceof HTMLInputElement && target.value !== '')) return
      const isHere = target === document.body || (target instanceof Node && side.current?.contains(target))
      if (!isHere && target !== button.current) return
      setOpen(false)
      button.current?.focus()
    }
    // What it covers is not to be worked unseen.
    const goOn = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.closest('main')) setOpen(false)
    }
    document.addEventListener('keydown', leave, true)
    document.addEventListener('focusin', goOn)
    return () => {
      document.removeEventListener('keydown', leave, true)
      document.removeEventListener('focusin', goOn)
    }
  }, [open])
  const toggle = () => {
    openedAt.current = window.location.pathname
    setOpen(!open)
  }
  return { open, button, side, toggle, close }
}
