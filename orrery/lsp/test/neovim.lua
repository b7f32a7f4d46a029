-- Headless Neovim as a client: a mistake is shown, a component is renamed.
-- Called with the server, a text and a file for the result.
local program, path, result = unpack(vim.v.argv, #vim.v.argv - 2)

local function wait_until(holds)
  if not vim.wait(30000, holds, 20) then
    vim.fn.writefile({ "nothing came" }, result)
    vim.cmd("cquit")
  end
end

vim.cmd("edit " .. vim.fn.fnameescape(path))
local client = vim.lsp.start_client({
  name = "orrery",
  cmd = { program },
  root_dir = vim.fn.fnamemodify(path, ":h"),
})
vim.lsp.buf_attach_client(0, client)
wait_until(function() return #vim.diagnostic.get(0) > 0 end)
local found = vim.diagnostic.get(0)[1]
local lines = { (found.lnum + 1) .. ":" .. (found.col + 1) .. " " .. found.message }

vim.api.nvim_win_set_cursor(0, { 2, 7 })
vim.lsp.buf.rename("height")
wait_until(function()
  return vim.api.nvim_buf_get_lines(0, 1, 2, false)[1]:find("height") ~= nil
end)
vim.list_extend(lines, vim.api.nvim_buf_get_lines(0, 0, -1, false))
vim.fn.writefile(lines, result)
vim.cmd("qall!")
