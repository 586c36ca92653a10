/** One hook that throws must not keep the others from hearing. */
export const runHooks = (hooks: readonly (() => void)[], onError: (error: unknown) => void): void => {
  for (const hook of hooks) {
    try {
      hook()
    } catch (error) {
      onError(error)
    }
  }
}
