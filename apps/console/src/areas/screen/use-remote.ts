import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { directionOf, isBack, nextFocus } from './remote-focus.ts'

/** So long the focus is seen after the last key. */
const focusMs = 15_000
const places = '.wall :is(a[href], button:not(:disabled))'

/** A remote control, or a keyboard: arrows move the focus among what opens something, Enter opens it, Back closes it. Nothing operates. */
export function useRemote(): void {
  const navigate = useNavigate()
  const { pathname, key: entry } = useLocation()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const press = (event: KeyboardEvent) => {
      // Somebody types, or reads a dialog that has keys of its own.
      if (event.target instanceof Element && event.target.closest('input, select, textarea, dialog, [role="dialog"]')) return
      const direction = directionOf(event.key)
      if (direction) moveFocus(direction)
      else if (isBack(event) && pathname !== paths.bigScreen) {
        // What was opened from another page of the wall goes back there.
        if (entry === 'default') navigate(paths.bigScreen)
        else navigate(-1)
      } else return
      event.preventDefault()
      clearTimeout(timer)
      timer = setTimeout(() => {
        if (document.activeElement instanceof HTMLElement || document.activeElement instanceof SVGElement)
          document.activeElement.blur()
      }, focusMs)
    }
    addEventListener('keydown', press)
    return () => {
      clearTimeout(timer)
      removeEventListener('keydown', press)
    }
  }, [navigate, pathname, entry])
}

function moveFocus(direction: NonNullable<ReturnType<typeof directionOf>>): void {
  const elements = [...document.querySelectorAll<HTMLElement | SVGElement>(places)].filter((each) => each.checkVisibility())
  const focused = document.activeElement
  const at = elements.findIndex((each) => each.isSameNode(focused))
  const next = nextFocus(
    elements.map((each) => each.getBoundingClientRect()),
    at < 0 ? null : at,
    direction,
  )
  if (next !== null) elements[next]?.focus({ preventScroll: true })
}
