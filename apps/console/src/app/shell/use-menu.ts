import { createContext, useContext } from 'react'
import { useSession } from '../session/session.ts'
import type { BuiltRoutes, MenuItem } from './menu.ts'
import { menuOf } from './menu.ts'

/** Which pages there are is for the areas to say: whoever starts the console hands it in. */
export const BuiltPages = createContext<BuiltRoutes>(new Set())

/** The menu of whoever is signed in. */
export function useMenu(): readonly MenuItem[] {
  const built = useContext(BuiltPages)
  const user = useSession((state) => state.user)
  return user ? menuOf(user, built) : []
}
