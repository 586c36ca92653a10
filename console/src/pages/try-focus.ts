/** Puts the reader where something is wrong: at its field, or at what has to be opened to get there. */
export const focusPath = (box: HTMLElement | null, path: string): void => {
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = box?.querySelector<HTMLElement>(`[data-path="${CSS.escape(at)}"]`)
    const control = found?.querySelector<HTMLElement>('input, select, textarea, button')
    if (control) {
      control.focus()
      return control.scrollIntoView({ block: 'nearest' })
    }
    if (at === '') return
  }
}
