import type { ComponentType } from 'react'
import { lazy } from 'react'
import { LoadError, LoadErrorPage } from './load-error.tsx'

/** A part of a page that comes in a file of its own. Where the file does not come its place says so; the page around it stays. */
export const lazyPart = <P extends object>(fetch: () => Promise<ComponentType<P>>, instead: ComponentType<P> = LoadError) =>
  lazy(async () => ({ default: await fetched(fetch, instead) }))

/** The same for the router, which shows what was there until a page has come: one that does not come keeps the frame around it. */
export const lazyPage = (fetch: () => Promise<ComponentType>) => async () => ({
  Component: await fetched(fetch, LoadErrorPage),
})

async function fetched<P>(fetch: () => Promise<ComponentType<P>>, instead: ComponentType<P>): Promise<ComponentType<P>> {
  try {
    return await fetch()
  } catch (error) {
    // A file that came and is broken is ours to hear of.
    console.error(error)
    return instead
  }
}
