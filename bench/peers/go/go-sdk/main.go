// The same relay with the official Go library on both sides and nothing else.
// Arguments: JSON of { name: { url } | { command, args } }. Writes its port as the first line.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type source struct {
	URL     string   `json:"url"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

func main() {
	var sources map[string]source
	if err := json.Unmarshal([]byte(os.Args[1]), &sources); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	// One page for all: lists are compared whole.
	server := mcp.NewServer(&mcp.Implementation{Name: "go-sdk-relay", Version: "1"}, &mcp.ServerOptions{PageSize: 100_000})
	for name, from := range sources {
		if err := join(ctx, server, name, from); err != nil {
			log.Fatal(err)
		}
	}
	// Plain JSON answers: an event stream per call would cost it still more.
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{JSONResponse: true})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, handler))
}

func join(ctx context.Context, server *mcp.Server, name string, from source) error {
	var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: from.URL}
	if from.Command != "" {
		transport = &mcp.CommandTransport{Command: exec.Command(from.Command, from.Args...)}
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "go-sdk-relay", Version: "1"}, nil).Connect(ctx, transport, nil)
	if err != nil {
		return err
	}
	listed, err := session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	for _, tool := range listed.Tools {
		inner := tool.Name
		shown := *tool
		shown.Name = name + "." + inner
		server.AddTool(&shown, func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return session.CallTool(ctx, &mcp.CallToolParams{Name: inner, Arguments: request.Params.Arguments})
		})
	}
	return nil
}
